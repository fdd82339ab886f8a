import type { CouponFieldProps } from './coupon-field.tsx';
import { makeLazyPart } from '../lazy-part.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Starts loading the coupon field once its box is open. Until then the browser leaves the server's HTML as it is. */
export const noteCoupon = (box: HTMLDetailsElement | null): void => void (box?.open && open());

const lazy = makeLazyPart<CouponFieldProps>(() => opened.then(async () => (await import('./coupon-field.tsx')).CouponField));

/** Provider with which the server renders the field. */
export const LazyCouponProvider = lazy.Provider;

/** Coupon field whose code is loaded when it is opened. Text that was typed before stays. */
export const LazyCoupon = lazy.Part;
