/** Sizes of the banners, in pixels. They are common sizes for which most sites have room. */
export const BANNER_SIZES = ['728x90', '468x60', '970x250', '300x250', '160x600'] as const;
export type BannerSize = (typeof BANNER_SIZES)[number];
