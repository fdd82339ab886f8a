import type { WrittenPage } from '../routes/pages.ts';

const solutionPage = async () => (await import('../routes/_site/solutions/solution.tsx')).SolutionPage;
const textPage = async () => (await import('../routes/_site/text/text.tsx')).TextPage;
const contactPage = async () => (await import('../routes/_site/contact/contact.tsx')).ContactPage;

/** Where the code of each page of words lies. */
export const CODE_OF: Readonly<Record<WrittenPage, () => Promise<React.ComponentType>>> = {
  hiWallet: solutionPage,
  onlinePayment: solutionPage,
  forBusiness: solutionPage,
  paymentGate: solutionPage,
  faq: async () => (await import('../routes/_site/faq/faq.tsx')).FaqPage,
  status: async () => (await import('../routes/_site/status/status.tsx')).StatusPage,
  contact: contactPage,
  ticket: contactPage,
  terms: textPage,
  aml: textPage,
  privacy: textPage,
  affiliateProgram: async () => (await import('../routes/_site/earn/affiliate.tsx')).AffiliatePage,
  earnFree: async () => (await import('../routes/_site/earn/earn.tsx')).EarnPage,
  brand: async () => (await import('../routes/_site/brand/brand.tsx')).BrandPage,
};
