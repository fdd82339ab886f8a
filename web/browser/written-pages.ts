const solutionPage = async () => (await import('../routes/_site/solutions/solution.tsx')).SolutionPage;
const textPage = async () => (await import('../routes/_site/text/text.tsx')).TextPage;
const contactPage = async () => (await import('../routes/_site/contact/contact.tsx')).ContactPage;

/** The pages of words, with where the code of each lies. A page that is added here is named in `routes.ts` too. */
export const WRITTEN_PAGES = {
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
} as const;

export type WrittenPage = keyof typeof WRITTEN_PAGES;
