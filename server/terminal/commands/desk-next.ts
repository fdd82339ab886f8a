// The desk tool's command for the next steps: what is missing before customers can exchange, in order, with a command for each.
// Businesses that wait for a decision come last, and web sites that were added to stores.

import { CallError, type Client } from '@kurs/contract/client';
import { safe } from '../desk-print.ts';
import type { Usage } from '../desk-usage.ts';
import type { SupportTool } from './desk-support.ts';

export const NEXT_HELP: readonly Usage[] = [
  [
    'next',
    'what is missing before customers can exchange, and businesses and web sites that wait for a decision; with a command for each step',
  ],
];

/** State of an installation. A list that the person may not read is undefined. */
export interface Found {
  readonly people: Awaited<ReturnType<Client['operatorPeople']>> | undefined;
  readonly settings: Awaited<ReturnType<Client['operatorSettings']>> | undefined;
  readonly rails: Awaited<ReturnType<Client['operatorRails']>> | undefined;
  readonly reserves: Awaited<ReturnType<Client['operatorReserves']>> | undefined;
  readonly directions: Awaited<ReturnType<Client['operatorDirections']>> | undefined;
  readonly requests: Awaited<ReturnType<Client['operatorRequests']>> | undefined;
  /** Businesses that applied. */
  readonly businesses: Awaited<ReturnType<Client['operatorBusinesses']>>['data'] | undefined;
  /** Businesses with web sites that members added and nobody has decided about. */
  readonly added: Awaited<ReturnType<Client['operatorBusinesses']>>['data'] | undefined;
}

/** Something that is missing, and the command to run next. */
export interface Step {
  readonly missing: string;
  readonly command: string;
}

const DESK = 'npm run desk --';
const has = (amount: string): boolean => /[1-9]/.test(amount) && !amount.startsWith('-');

/** Returns the missing steps, in the order in which to do them. */
export function stepsOf(found: Found): Step[] {
  const exchange = [...ofPeople(found), ...ofRequests(found), ...ofAlarms(found), ...ofRails(found), ...ofDirections(found)];
  return [...exchange, ...ofBusinesses(found), ...ofSites(found)];
}

function ofPeople({ people }: Found): Step[] {
  const roles = ['operator', 'compliance'] as const;
  return roles.flatMap((role) => {
    const count = people?.filter((one) => one.role === role && one.active).length ?? 2;
    if (count >= 2) return [];
    const who = role === 'operator' ? 'operators' : 'compliance officers';
    return [
      { missing: `two ${who}: there are ${count}`, command: `npm run hire -- NAME ${role} --to FILE (on the machine itself)` },
    ];
  });
}

function ofAlarms({ settings }: Found): Step[] {
  const reported = settings?.filter(
    ({ key, value }) => ['alarms.mail', 'alarms.webhook'].includes(key) && !['', '[]'].includes(value),
  );
  if (reported === undefined || reported.length > 0) return [];
  return [
    { missing: 'a receiver of alarms', command: `${DESK} settings alarms.mail '["you@example.org"]' --apply --reason "alarms"` },
  ];
}

type Rails = NonNullable<Found['rails']>;

/** Returns the direction that customers should use first: one that is on, else one whose payment systems answer. */
function wantedDirection({ rails = [], directions = [] }: Found) {
  const answers = ({ from, to }: (typeof directions)[number]): boolean => railsOf({ from, to }, rails).every((one) => one.up);
  return directions.find((one) => one.on) ?? directions.find(answers) ?? directions[0];
}

const railsOf = ({ from, to }: { readonly from: string; readonly to: string }, rails: Rails): Rails =>
  rails.filter(({ currencies }) => currencies.includes(from) || currencies.includes(to));

function ofRails(found: Found): Step[] {
  const { rails, reserves, requests = [] } = found;
  if (!rails) return [];
  const here = rails.filter((one) => one.set_up);
  if (here.length === 0)
    return [
      {
        missing: 'a payment system',
        command: `npm run config -- NAME, of ${rails.map(({ rail }) => rail).join(', ')}; then restart`,
      },
    ];
  const direction = wantedDirection(found);
  const wanted = direction ? railsOf(direction, here) : here.slice(0, 1);
  const silent = wanted
    .filter((one) => !one.up)
    .map(({ rail, detail }) => ({ missing: `an answer of ${rail} (${detail})`, command: `${DESK} rails` }));
  const to = reserves?.find(({ currency }) => currency === direction?.to);
  const isFunded = to ? has(to.free) : (reserves?.some(({ free }) => has(free)) ?? true);
  const capital = isFunded
    ? []
    : [
        {
          missing: `capital in ${to?.currency ?? 'some currency'}`,
          command: `${DESK} capital says where to send it; then ${fundOf(to?.currency ?? 'CUR')}`,
        },
      ];
  const isRequested = (rail: string): boolean => requests.some((one) => one.action === 'rail_on' && one.subject === rail);
  const off = wanted
    .filter((one) => !one.on && !isRequested(one.rail))
    .map(({ rail }) => ({ missing: `${rail} is off`, command: `${DESK} rail ${rail} on --reason "…"` }));
  return [...silent, ...capital, ...off];
}

/** Returns the command that books capital: on a chain by transaction, elsewhere by reference. */
const fundOf = (currency: string): string =>
  `${DESK} fund ${currency} AMOUNT --reference R --reason "…" (on a chain --txid TX in place of both)`;

function ofDirections(found: Found): Step[] {
  const { rails, directions } = found;
  const first = wantedDirection(found);
  if (!first || !rails?.some((one) => one.set_up)) return [];
  if (!directions?.some((one) => one.on))
    return [
      { missing: 'prices that somebody has looked at', command: `${DESK} directions; ${DESK} price ${first.slug} shows one` },
      { missing: 'a direction that is on', command: `${DESK} direction ${first.from} ${first.to} on --reason "…"` },
    ];
  // A direction that is on may be closed for a reason that no step above covers.
  const isOpen = directions.some((one) => one.on && one.closed === undefined);
  return isOpen || ofRails(found).length > 0
    ? []
    : [{ missing: `${first.slug} is closed: ${first.closed ?? ''}`, command: closedBy(first) }];
}

const closedBy = ({ closed = '', to }: NonNullable<Found['directions']>[number]): string =>
  closed.startsWith('reserve')
    ? `${DESK} capital says where to send ${to}; then ${fundOf(to)}`
    : closed === 'payouts_off'
      ? `${DESK} payouts on --reason "…"`
      : `${DESK} directions`;

function ofRequests({ requests = [] }: Found): Step[] {
  const [first] = requests;
  if (!first) return [];
  return [{ missing: `a second person for ${first.action} ${first.subject}`, command: `${DESK} consent ${first.id}` }];
}

/** Returns a step for each business that applied, unless a decision about it waits for a second person. */
function ofBusinesses({ businesses = [], requests = [] }: Found): Step[] {
  return businesses
    .filter(({ id }) => !requests.some(({ subject }) => subject === id))
    .map(({ id, legal_name: name, owner }) => ({
      missing: `a decision about the business ${safe(name)} of ${safe(owner)}`,
      command: `${DESK} business ${id}`,
    }));
}

/** Returns a step for each web site that a member added to a store. */
const ofSites = ({ added = [] }: Found): Step[] =>
  added.flatMap(({ id, legal_name: name, new_sites: sites }) =>
    sites.map((site) => ({
      missing: `a decision about the web site ${safe(site)} that the business ${safe(name)} added`,
      command: `${DESK} business ${id} accept ${safe(site)} --reason "…" (or strike)`,
    })),
  );

/** Returns the missing steps that the person may see. */
export async function pollForSteps(client: Client): Promise<Step[]> {
  return stepsOf({
    people: await ifAllowed(client.operatorPeople({})),
    settings: await ifAllowed(client.operatorSettings({})),
    rails: await ifAllowed(client.operatorRails({})),
    reserves: await ifAllowed(client.operatorReserves({})),
    directions: await ifAllowed(client.operatorDirections({})),
    requests: await ifAllowed(client.operatorRequests({})),
    businesses: (await ifAllowed(client.operatorBusinesses({ state: 'applied' })))?.data,
    added: (await ifAllowed(client.operatorBusinesses({ new_sites: 'yes' })))?.data,
  });
}

const ifAllowed = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'forbidden') return undefined;
    throw error;
  });

/** Commands by their names. */
export const NEXT: Readonly<Record<string, (tool: SupportTool) => Promise<void>>> = {
  async next({ client, isJson, table, print }) {
    const steps = await pollForSteps(client);
    if (isJson) return table(steps);
    if (steps.length === 0) return print('Nothing is missing. What waits for a person: npm run desk -- waiting');
    for (const [at, { missing, command }] of steps.entries()) print(`${at + 1}. missing: ${missing}\n   ${command}`);
  },
};
