import { type ReactNode, useMemo } from 'react';
import { useLoaderData } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { storeKeyMake, storeKeyRevoke, storeKeys } from '@kurs/contract/paths';
import { accessToken } from '../../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../../features/api/client.ts';
import { m } from '../../../../../../features/words.ts';
import type { Closed } from '../../../../../closed.ts';
import { Section } from '../../../account/section.tsx';
import { Skeleton } from '../../../frame/skeleton.tsx';
import type { KeyBook } from '../../../keys/key-book.ts';
import { KeyList } from '../../../keys/key-list.tsx';
import { useUser } from '../../../user.ts';
import { PERMISSION_WORDS, type StorePermission } from '../../store-words.ts';
import type { StoreData } from '../own-store.ts';
import { StorePage } from '../store-head.tsx';
import css from '../store.module.css';

const calls = clientOf(pageTransport(accessToken), { storeKeyMake, storeKeyRevoke, storeKeys });

type Scope = Awaited<ReturnType<typeof calls.storeKeys>>['givable'][number];

/** Returns the keys of a store. */
const keysOf = (store: string): KeyBook => ({
  async list() {
    const { keys, givable } = await calls.storeKeys({ store });
    return { rows: keys, choices: givable.map((name) => ({ name, words: PERMISSION_WORDS[name]() })) };
  },
  make: ({ permissions, ...request }) => calls.storeKeyMake({ store, ...request, permissions: permissions as Scope[] }),
  revoke: (id) => calls.storeKeyRevoke({ store, id }),
  wordsOf: (permission) => PERMISSION_WORDS[permission as StorePermission](),
  field: 'permissions',
});

/** API keys of a store. */
export default function StoreKeysPage(): ReactNode {
  const data = useLoaderData<StoreData | Closed>();
  return (
    <StorePage page="storeKeys" data={data}>
      {({ store }) => (
        <div className={css['sections']}>
          <Section title={m.keys_title()} lead={store.test ? m.store_keys_test() : m.store_keys_lead()}>
            <Keys key={store.id} store={store.id} />
          </Section>
        </div>
      )}
    </StorePage>
  );
}

function Keys({ store }: { store: string }): ReactNode {
  const user = useUser();
  const book = useMemo(() => keysOf(store), [store]);
  return user ? <KeyList book={book} user={user} /> : <Skeleton rows={3} />;
}
