/** Numbers of days that the figures can be of. */
export const RANGES = [7, 30, 90] as const;
export type Days = (typeof RANGES)[number];
