import type { ReactNode } from 'react';
import js from '../../../../content/payment-gate/quick-start.js.txt?raw';
import shell from '../../../../content/payment-gate/quick-start.sh.txt?raw';
import { Paragraphs } from '../../../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../../../site.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import css from '../solutions.module.css';
import type { GATE_WORDS } from '../solution-words.ts';

type Words = (typeof GATE_WORDS)['en']['steps'];

const STEPS = ['quote', 'begin', 'details', 'order', 'status'] as const;
type Step = (typeof STEPS)[number];

/**
 * Code examples in two languages, each split at the comments that name a step. A test runs the examples as the page shows them.
 */
const EXAMPLES = [
  { id: 'curl', name: 'curl', pieces: piecesOf(shell) },
  { id: 'js', name: 'JavaScript', pieces: piecesOf(js) },
] as const;

function piecesOf(source: string): Readonly<Record<string, string>> {
  const sections = source.split(/^(?:#|\/\/) ([a-z]+)\n/m).slice(1);
  return Object.fromEntries(
    sections.flatMap((name, index) => (index % 2 === 0 ? [[name, (sections[index + 1] ?? '').trimEnd()]] : [])),
  );
}

/** Steps of placing an order by the API, with code in two languages. The choice of the language works without JavaScript. */
export function QuickStart({ words, api, locale }: { words: Words; api: string; locale: SiteLocale }): ReactNode {
  return (
    <div className={css['quick']}>
      <div className={css['quickHead']}>
        <fieldset className={css['languages']}>
          <legend className="sr">{words.languages}</legend>
          {EXAMPLES.map(({ id, name }, index) => (
            <label key={id}>
              <input type="radio" name="language" id={`language-${id}`} defaultChecked={index === 0} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        {EXAMPLES.map(({ id }) => (
          <span key={id} className={css[id]}>
            <CopyButton words={words} name={words.copy_all} selector={`[data-language=${id}] code`} />
          </span>
        ))}
      </div>
      <ol className={css['codes']}>
        {STEPS.map((step, index) => (
          <li key={step}>
            <div className={css['codeText']}>
              <b className="num" aria-hidden="true">
                {index + 1}
              </b>
              <div>
                <h3 className="card-title">{words[step].title}</h3>
                <Paragraphs text={words[step].text} locale={locale} />
              </div>
            </div>
            <Examples step={step} words={words} api={api} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Examples({ step, words, api }: { step: Step; words: Words; api: string }): ReactNode {
  return EXAMPLES.map(({ id, name, pieces }) => (
    <div key={id} className={css[id]}>
      <CodeFigure name={name} language={id} copy={<CopyButton words={words} name={words.copy} selector="" />}>
        {(pieces[step] ?? '').replace('{api}', api)}
      </CodeFigure>
    </div>
  ));
}

/** Figure with a title and code. Long lines are wrapped, not scrolled. */
export function CodeFigure({
  name,
  language,
  copy,
  children,
}: {
  name: string;
  language?: string;
  copy?: ReactNode;
  children: string;
}): ReactNode {
  return (
    <figure className={css['code']} data-language={language} lang="en">
      <figcaption>
        <span>{name}</span>
        {copy}
      </figcaption>
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}

function CopyButton({ words, name, selector }: { words: Words; name: string; selector: string }): ReactNode {
  return (
    <Button look="secondary" size="tiny" icon="copy" hidden data-copy={selector} data-copied={words.copied}>
      {name}
    </Button>
  );
}
