import { Fragment, type ReactElement, type ReactNode, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { Locale } from '../ui/locale.ts';
import type { StillPart, StillParts } from '../ui/still.ts';

/** More kinds of one part than this are drawn each time. */
const MOST = 50;

/** Parts of pages that are drawn once: from then on their elements carry HTML instead of components. */
export class DrawnParts implements StillParts {
  readonly #drawn = new Map<unknown, Map<string, ReactElement>>();
  #missing: (() => void)[] = [];

  find<P extends object>(part: StillPart<P>, props: P, locale: Locale): ReactElement | undefined {
    const drawn = this.#drawn.get(part) ?? new Map<string, ReactElement>();
    this.#drawn.set(part, drawn);
    const key = `${locale} ${JSON.stringify(props)}`;
    const found = drawn.get(key);
    if (!found && drawn.size < MOST) this.#missing.push(() => void drawn.set(key, draw(part, props)));
    return found;
  }

  /** Draws what the page that was just rendered had to draw itself. In the same turn: words are of one language at a time. */
  drawMissing(): void {
    const missing = this.#missing;
    this.#missing = [];
    for (const each of missing) each();
  }
}

function draw<P extends object>(part: StillPart<P>, props: P): ReactElement {
  const { type, props: own } = part(props) as ReactElement<{ children?: ReactNode }>;
  const { children, ...rest } = own;
  const html = renderToString(createElement(Fragment, null, children));
  return createElement(type, { ...rest, dangerouslySetInnerHTML: { __html: html } });
}
