import affiliateEn from '../../../content/affiliate-program/en-US.json';
import affiliateRu from '../../../content/affiliate-program/ru-RU.json';
import earnEn from '../../../content/earn-free-crypto/en-US.json';
import earnRu from '../../../content/earn-free-crypto/ru-RU.json';

export type AffiliateWords = typeof affiliateEn;
export type EarnWords = typeof earnEn;

export const AFFILIATE_WORDS = { en: affiliateEn, ru: affiliateRu } satisfies Record<string, AffiliateWords>;
export const EARN_WORDS = { en: earnEn, ru: earnRu } satisfies Record<string, EarnWords>;
