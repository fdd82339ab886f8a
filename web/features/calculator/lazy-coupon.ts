import type { CouponFieldProps } from './coupon-field.tsx';
import { makeLazyPart } from '../lazy-part.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Notes that the field stands open: until then the browser leaves it as the server drew it. */
export const noteCoupon = (box: HTMLDetailsElement | null): void => void (box?.open && open());

const lazy = makeLazyPart<CouponFieldProps>(() => opened.then(async () => (await import('./coupon-field.tsx')).CouponField));

/** Where the server provides the field, which it draws at once. */
export const LazyCouponProvider = lazy.Provider;

/** The field for a code: its code is fetched by the browser once somebody opens it; what was typed until then stays. */
export const LazyCoupon = lazy.Part;
