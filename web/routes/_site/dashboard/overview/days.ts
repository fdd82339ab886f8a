/** Numbers of days that the customer can select for the figures. */
export const RANGES = [7, 30, 90] as const;
export type Days = (typeof RANGES)[number];
