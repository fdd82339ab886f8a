import type { ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import { Pill } from '../../../../ui/parts/pill.tsx';
import { KIND_WORDS, type OwnStore } from './store-words.ts';

/** Kind of a store. Of a test store it says that there is no money; of a business store, that its business is not approved. */
export function StorePills({ store: { kind, business_state: state } }: { store: OwnStore }): ReactNode {
  return (
    <>
      {kind === 'test' ? (
        <Pill tone="iris" icon="circle-dashed">
          {m.store_test_badge()}
        </Pill>
      ) : (
        <Pill tone="brand" icon={kind === 'business' ? 'storefront' : 'user'}>
          {KIND_WORDS[kind]()}
        </Pill>
      )}
      {state === 'suspended' && (
        <Pill tone="warning" icon="prohibit">
          {m.store_suspended()}
        </Pill>
      )}
      {state === 'closed' && (
        <Pill tone="neutral" icon="lock-simple">
          {m.store_closed()}
        </Pill>
      )}
    </>
  );
}
