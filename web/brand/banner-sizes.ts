/** Sizes of banners, in pixels. Most sites have room for one of them. */
export const BANNER_SIZES = ['728x90', '468x60', '970x250', '300x250', '160x600'] as const;
export type BannerSize = (typeof BANNER_SIZES)[number];
