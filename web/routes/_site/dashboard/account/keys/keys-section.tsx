import type { ReactNode } from 'react';
import { m } from '../../../../../features/words.ts';
import type { KeyBook } from '../../keys/key-book.ts';
import { KeyList } from '../../keys/key-list.tsx';
import type { User } from '../../user.ts';
import { Section } from '../section.tsx';
import { keyCalls } from './key-calls.ts';
import { SCOPE_WORDS, type Scope } from './scope-words.ts';

const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];

const ACCOUNT_KEYS: KeyBook = {
  list: async () => ({
    rows: (await keyCalls.apiKeys({})).map(({ scopes, ...row }) => ({ ...row, permissions: scopes })),
    choices: SCOPES.map((name) => ({ name, words: SCOPE_WORDS[name]() })),
  }),
  make: ({ permissions, ...request }) =>
    keyCalls.apiKeyMake({ ...request, scopes: SCOPES.filter((scope) => permissions.includes(scope)) }),
  revoke: (id) => keyCalls.apiKeyRevoke({ id }),
  revokeAll: () => keyCalls.apiKeyRevokeAll({}),
  wordsOf: (scope) => SCOPE_WORDS[scope as Scope](),
  field: 'scopes',
};

/** Section that lists, creates and revokes the account's API keys. */
export function KeysSection({ user }: { user: User }): ReactNode {
  return (
    <Section anchor="keys" title={m.keys_title()} lead={m.keys_lead()}>
      <KeyList book={ACCOUNT_KEYS} user={user} />
    </Section>
  );
}
