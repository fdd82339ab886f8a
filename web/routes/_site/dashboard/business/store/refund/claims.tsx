import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { coinOf } from '../../../../../../features/currency.ts';
import { Money } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Coin } from '../../../../../../ui/base/icon.tsx';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Card } from '../../card.tsx';
import css from '../invoice/invoice.module.css';
import { Fact } from '../invoice/payments.tsx';
import { useStoreTime } from '../invoices/store-times.ts';
import { ClaimPill } from '../refunds/refund-pills.tsx';
import type { StoreClaim } from '../refunds/refund-words.ts';
import type { StoreRefundData } from './page.server.ts';

/** Claims of a refund. Those above the cap have buttons to confirm and to refuse them. */
export function StoreClaims({ data }: { data: StoreRefundData }): ReactNode {
  const { claims } = data.refund;
  return (
    <Card id="claims" title={m.refunds_claims()}>
      {claims.length === 0 ? (
        <p className={`soft ${css['empty']}`}>{m.refunds_claims_none()}</p>
      ) : (
        <ul className={css['payments']}>
          {claims.map((claim) => (
            <Claim key={claim.id} claim={claim} data={data} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Claim({ claim, data: { store } }: { claim: StoreClaim; data: StoreRefundData }): ReactNode {
  const write = useStoreTime(store.timezone);
  return (
    <li>
      <div className={css['paid']}>
        <Coin {...coinOf(claim.method)} size={32} />
        <div>
          <b>
            <Money of={{ ...claim.receives, currency: claim.method }} />
          </b>
          <span className="tiny mute">{claim.network}</span>
        </div>
        <span className={css['pills']}>
          <ClaimPill status={claim.status} />
        </span>
      </div>
      <dl className={css['facts']}>
        <Fact name={m.claims_claimed()}>
          <Money of={claim.claimed} />
        </Fact>
        <Fact name={m.claims_fee()}>
          <Money of={claim.fee} />
        </Fact>
        <Fact name={m.claims_at()}>{write(claim.at)}</Fact>
        <Fact name={m.claims_to()} isWide>
          {claim.to_payment ? m.claims_to_payment({ network: claim.network }) : Object.values(claim.to).join(' ')}
        </Fact>
        {claim.txid !== undefined && (
          <Fact name={m.moves_txid()} isWide>
            {claim.txid}
          </Fact>
        )}
      </dl>
      {claim.to_payment && (claim.status === 'failed' || claim.status === 'returned') && (
        <p className="small soft">{claim.payment_reversed ? m.claims_undone_reversed() : m.claims_undone()}</p>
      )}
      {claim.status === 'confirming' && store.permissions.includes('refunds.approve') && <Decide claim={claim} />}
    </li>
  );
}

function Decide({ claim: { id } }: { claim: StoreClaim }): ReactNode {
  const form = useNavigation().formData;
  const busy = (intent: string): boolean => form?.get('intent') === intent && form.get('id') === id;
  return (
    <Form method="post" className={css['acts']} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <p className={`small soft ${css['whole']}`}>{m.claims_confirm_lead()}</p>
      <Button type="submit" name="intent" value="confirm" size="small" busy={busy('confirm') && m.account_saving()}>
        {m.claims_confirm()}
      </Button>
      <Button
        type="submit"
        name="intent"
        value="refuse"
        look="secondary"
        size="small"
        busy={busy('refuse') && m.account_saving()}
      >
        {m.claims_refuse()}
      </Button>
    </Form>
  );
}
