// MACs of letters, events and endpoints. Somebody who can only write to the database can't forge letters or events, or redirect
// them to another address.

import { type Statements, idsOfAltered, isMac, macOf, steady } from '../platform/index.ts';

/** A letter as stored in the table `mail`. `sealed`: its encrypted content. */
export interface StoredLetter {
  readonly id: string;
  readonly key: string;
  readonly recipient: string;
  readonly locale: string;
  readonly queuedAt: Date;
  readonly sealed: Buffer;
}

/** SQL: select list of a stored letter with its MAC, from the table `mail`. */
export const MARKED_LETTER = 'mail.id, mail.key, recipient, locale, queued_at as "queuedAt", sealed, mail.mac';

const ofLetter = ({ id, key, recipient, locale, queuedAt, sealed }: StoredLetter): string =>
  steady([id, key, recipient, locale, queuedAt, sealed.toString('base64')]);

/** Returns the MAC of a letter. */
export const letterMac = (letter: StoredLetter): string => macOf('letter', ofLetter(letter));

/** True if a letter still has the content and the receiver with which it was queued. */
export const isLetterAsQueued = (row: Partial<StoredLetter> & { readonly mac: string | null }): boolean =>
  Boolean(row.sealed) && isMac('letter', ofLetter(row as StoredLetter), row.mac);

/** An event as stored in the table `delivery_event`. */
export interface StoredEvent {
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  /** Body of the event, parsed from JSON. */
  readonly body: unknown;
  readonly at: Date;
}

const ofEvent = ({ id, owner, type, body, at }: StoredEvent): string => steady([id, owner, type, body, at]);

/** Returns the MAC of a published event. */
export const eventMac = (event: StoredEvent): string => macOf('outgoing event', ofEvent(event));

/** True if an event is unchanged since it was published. */
export const isAsPublished = (event: StoredEvent, mac: string | null): boolean => isMac('outgoing event', ofEvent(event), mac);

/** The fields of an endpoint that decide which events are sent to which address. */
export interface StoredEndpoint {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly url: string;
  readonly types: readonly string[] | null;
}

const ofEndpoint = ({ id, owner, kind, url, types }: StoredEndpoint): string => steady([id, owner, kind, url, types]);

/** Returns the MAC of a stored endpoint. */
export const endpointMac = (endpoint: StoredEndpoint): string => macOf('endpoint', ofEndpoint(endpoint));

/** True if an endpoint is unchanged since its owner stored it. */
export const isAsPut = (endpoint: StoredEndpoint, mac: string | null): boolean => isMac('endpoint', ofEndpoint(endpoint), mac);

/**
 * Returns the names of altered letters, events and endpoints, for the proof of the books (`letter 01…`). `isOpen`: checks only
 * letters and events that still have to be sent.
 */
export async function alteredDeliveries(db: Statements, { isOpen }: { readonly isOpen: boolean }): Promise<string[]> {
  const endpoints = await db.rows<StoredEndpoint & { mac: string | null }>(
    `select id, owner, kind, url, types, mac from delivery_endpoint where kind <> 'mail'`,
  );
  return [
    ...endpoints.filter((row) => !isAsPut(row, row.mac)).map(({ id }) => `endpoint ${id}`),
    ...(await alteredAmong(db, 'delivery_event', 'event', isOpen)),
    ...(await alteredAmong(db, 'mail', 'letter', isOpen)),
  ];
}

/** Select list of each table that is checked, and the check of one row. */
const CHECKED = {
  delivery_event: {
    columns: 'delivery_event.id, owner, type, body, at, delivery_event.mac',
    isRight: (row: unknown) => isAsPublished(row as StoredEvent, (row as { mac: string | null }).mac),
  },
  mail: {
    columns: MARKED_LETTER,
    isRight: (row: unknown) => isLetterAsQueued(row as StoredLetter & { mac: string | null }),
  },
};

/** Returns the names of the altered rows of a table. `isOpen`: checks only rows that still have to be sent. */
async function alteredAmong(db: Statements, table: keyof typeof CHECKED, name: string, isOpen: boolean): Promise<string[]> {
  const { columns, isRight } = CHECKED[table];
  const altered = await idsOfAltered(
    (behind, max) =>
      db.rows<{ id: string }>(
        `select ${columns} from ${table}
         where ($1::uuid is null or ${table}.id > $1)
           and (not $3 or exists (select from delivery where event_id = ${table}.id and due_at is not null))
         order by ${table}.id limit $2`,
        [behind ?? null, max, isOpen],
      ),
    isRight,
  );
  return altered.map((id) => `${name} ${id}`);
}
