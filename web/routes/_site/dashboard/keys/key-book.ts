import type { StepUp } from '../account/once-more.tsx';

/** API key in a list. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** First characters of the key. */
  readonly hint: string;
  readonly permissions: readonly string[];
  readonly networks: readonly string[];
  readonly expires_at: string;
  readonly used_at?: string | undefined;
  /** E-mail address of the person who made the key; absent if all keys were made by the reader. */
  readonly made_by?: string | undefined;
}

/** New API key, which is shown only once. */
export interface NewKey {
  readonly name: string;
  readonly key: string;
}

/** Permission that a new key may have. */
export interface Choice {
  readonly name: string;
  readonly words: string;
}

/** API keys of an account or a store, with the calls that list and change them. */
export interface KeyBook {
  readonly list: () => Promise<{ readonly rows: readonly KeyRow[]; readonly choices: readonly Choice[] }>;
  readonly make: (
    key: { name: string; permissions: readonly string[]; networks: string[]; days: number } & StepUp,
  ) => Promise<NewKey>;
  readonly revoke: (id: string) => Promise<unknown>;
  /** Revokes all keys; absent if there is no such call. */
  readonly revokeAll?: () => Promise<unknown>;
  readonly wordsOf: (permission: string) => string;
  /** Name of the field of permissions in the calls' input. */
  readonly field: 'scopes' | 'permissions';
}
