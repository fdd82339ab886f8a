import { CallError } from '@kurs/contract/client';
import { sceneOf } from './scenes.ts';
import { soon } from './status.ts';

/** Handle that the stub returns for a mailed code; a code is valid only with this handle. */
export const HANDLE = 'handle-of-this-browser';

/**
 * Returns the stub's answers about vouchers: redeeming a voucher that the customer enters, and showing a voucher that an order
 * bought. The orders `GELS` and `GSEE` show their voucher only with the mailed code 123456.
 */
export const vouchersOf = (clock: () => Date) => ({
  orderRedeem: ({ id, fields }: { id: string; fields: Record<string, string> }) => {
    if (!/^[0-9]{10}$/.test(fields['number'] ?? ''))
      throw new CallError(422, {
        code: 'validation',
        message: 'One or more fields need fixing.',
        errors: { 'fields.number': ['This does not look like a voucher. Copy it again'] },
      });
    return sceneOf(id.replace('VCHR', 'VTKN'), clock());
  },
  orderVoucher: ({ id, otp, handle }: { id: string; otp?: string; handle?: string }) => {
    if (id.includes('GELS') && otp === undefined) throw new CallError(401, { code: 'code_required', message: 'Enter the code.' });
    if (id.includes('GSEE') && (otp !== '123456' || handle !== HANDLE))
      throw new CallError(422, {
        code: 'code_wrong',
        message: 'This code does not match. Tries left: 4.',
        errors: { otp: ['This code does not match. Tries left: 4.'] },
      });
    return { fields: { number: '1234567890', code: '1234567890123456' }, until: soon(clock(), 90 * 86_400) };
  },
});
