import type { ReactNode } from 'react';
import { Hero } from '../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../features/blocks/structured.ts';
import type { Head } from '../../../../server/document/document.ts';
import { filledWords } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../../site.ts';
import { CodeFigure, QuickStart } from './gate-code.tsx';
import { type DemoStep, GateDemo, demoStep } from './gate-demo.tsx';
import type { SolutionData } from '../solution-data.ts';
import { GATE_WORDS } from '../solution-words.ts';
import css from '../solutions.module.css';
import { Story, questionsIn } from '../story.tsx';

type Words = (typeof GATE_WORDS)['en'];

/** Example of a request to the API, with its response. */
interface Exchange {
  readonly request: string;
  readonly response: string;
}

/** Default URL of a sandbox on the developer's own machine. Sites with real money show it in examples. */
const OWN_SANDBOX = 'http://127.0.0.1:3000';

/** Loads the page of the API for shops: what works, a demonstration of the checkout, and an order in five steps. */
export async function load(visit: Visit): Promise<SolutionData> {
  const { client, config, locale } = visit;
  const landing = await client.landing({});
  const params = { name: config.name, minutes: landing.lock_minutes, quote_minutes: landing.quote_minutes };
  const words = filledWords(GATE_WORDS[locale], locale, params);
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.crumb, questionsIn(words.sections)) };
  const api = `${config.mode === 'sandbox' ? (config.api ?? config.url) : OWN_SANDBOX}/api/v1`;
  givePartsTo(head, {
    page: (
      <Gate
        {...{ words, locale, api, step: demoStep(visit.url.searchParams) }}
        request={await requestedNow(visit, landing.hero)}
      />
    ),
  });
  return { head };
}

/** Returns the example of a request for a quote, with the API's current answer; undefined if there is no quote now. */
async function requestedNow(
  { client }: Visit,
  hero: { from: string; to: string; amount: string },
): Promise<Exchange | undefined> {
  const quote = await client.calculate({ ...hero, side: 'give' }).catch(() => undefined);
  if (!quote) return undefined;
  const { give, get, rate, fees, expires_at } = quote;
  return {
    request: `POST /api/v1/calculation\n${inLines(hero)}`,
    response: inLines({ give, get, rate, fees: fees.slice(0, 1), expires_at }),
  };
}

/** Maximum length of a line in the code beside the heading, in characters. */
const LINE = 58;

/** Formats JSON as people write it: a value that fits into a line takes one line; any other value has a line per field. */
function inLines(value: unknown, name = '', before = ''): string {
  const flat = name + JSON.stringify(value, null, 1).replaceAll(/\s*\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || before.length + flat.length <= LINE) return flat;
  const inner = `${before}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(
    ([field, item]) => inner + inLines(item, isList ? '' : `${JSON.stringify(field)}: `, inner),
  );
  return `${name}${isList ? '[' : '{'}\n${lines.join(',\n')}\n${before}${isList ? ']' : '}'}`;
}

function Gate({
  words,
  locale,
  api,
  step,
  request,
}: {
  words: Words;
  locale: SiteLocale;
  api: string;
  step: DemoStep;
  request: Exchange | undefined;
}): ReactNode {
  const [start = '', reference = ''] = words.actions;
  const actions = [
    { to: '#quick-start', name: start },
    { to: '/api/docs', name: reference },
  ];
  return (
    <>
      <Hero title={words.title} crumb={words.crumb} lead={words.lead} locale={locale} actions={actions}>
        {request && (
          <div className={css['asked']}>
            <CodeFigure name={words.answer.request}>{request.request}</CodeFigure>
            <CodeFigure name={words.answer.response}>{request.response}</CodeFigure>
          </div>
        )}
      </Hero>
      <Story
        words={words}
        locale={locale}
        drawn={{
          demo: <GateDemo {...{ words: words.demo, step, locale }} />,
          'quick-start': <QuickStart words={words.steps} api={api} locale={locale} />,
        }}
      />
    </>
  );
}
