import { type ReactNode, useEffect, useRef } from 'react';
import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from 'react-router';
import { m } from '../../features/words.ts';
import type { Failure } from '../../server/document/failure.ts';
import { Button, ButtonLink } from '../../ui/fields/button.tsx';
import { pageUrl } from '../pages.ts';
import css from './error.module.css';
import { Main } from './layout.tsx';
import type { SiteData } from './site-data.ts';

/** Page for an unknown URL or a failed request: a torn bank note, a reassurance, and links to continue. */
export function ErrorPage(): ReactNode {
  const failure = failureOf(useRouteError());
  const site = useRouteLoaderData('site') as SiteData | undefined;
  const locale = site?.locale ?? 'en';
  const missing = failure.status === 404;
  const title = failure.title ?? (missing ? m.error_404_title() : m.error_500_title());
  useEffect(() => {
    if (site) document.title = `${title} · ${site.name}`;
  }, [title, site]);
  return (
    <Main className={css['page']}>
      <div className={css['content']}>
        <TornNote number={String(failure.status)} link={site && (site.animation ?? OWN_ANIMATION)} />
        <h1 className="section-title">{title}</h1>
        <p className={css['lead']}>{failure.message ?? (missing ? m.error_404_lead() : m.error_browser_lead())}</p>
        {missing && failure.message === undefined && <p className="tiny mute">{pathWords(failure)}</p>}
        {failure.reference && <p className="tiny mute">{m.error_reference({ reference: failure.reference })}</p>}
        <div className={css['ways']}>
          {!missing && (
            <Button size="large" icon="arrow-clockwise" className={css['script']} onClick={() => location.reload()}>
              {m.error_again()}
            </Button>
          )}
          <Button look="secondary" size="large" icon="arrow-left" className={css['script']} onClick={() => history.back()}>
            {m.error_back()}
          </Button>
          <ButtonLink look={missing ? 'primary' : 'secondary'} size="large" href={pageUrl(locale, 'home')} data-reload>
            {m.error_home()}
          </ButtonLink>
        </div>
        <p className="small mute">
          {m.error_order()}{' '}
          <a className="link" href={pageUrl(locale, 'track')}>
            {m.error_order_link()}
          </a>
        </p>
      </div>
    </Main>
  );
}

/** Returns the text about a URL without a page, or about a URL that its page refuses. */
const pathWords = ({ path, isInvalid }: Failure): string =>
  isInvalid ? m.error_404_invalid({ path }) : m.error_404_path({ path });

/**
 * Returns the failure that the server sent. An error in the browser gives a 500 without path and reference, since it was not
 * logged.
 */
function failureOf(error: unknown): Failure {
  if (isRouteErrorResponse(error) && typeof error.data === 'object') return error.data as Failure;
  return { status: 500, path: '' };
}

const OWN_ANIMATION = '/animations/torn-note.json';
/**
 * Matches the space before the note's last word. A line break replaces this space, because the text in one line would overlap the
 * rosette.
 */
const LAST_SPACE = / (?=\S+$)/;
/** Line break in a Lottie text, escaped for JSON. */
const LOTTIE_BREAK = '\\r';
const STILL = '(prefers-reduced-motion: reduce)';

/**
 * Bank note that is torn in two. Each half shows the same face, cut along its own edge. The drawing is the first frame of the
 * animation at `link`, and replaces the animation if the visitor prefers reduced motion.
 */
function TornNote({ number, link }: { number: string; link: string | undefined }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const motto = m.error_note().replace(LAST_SPACE, '\n');
  useEffect(() => {
    const element = place.current;
    if (!element || link === undefined || matchMedia(STILL).matches) return undefined;
    let end: (() => void) | undefined;
    let isGone = false;
    void import('../../features/animation.ts').then(
      ({ play }) => {
        if (!isGone) end = play(element, link, { status: number, motto: motto.replace('\n', LOTTIE_BREAK) });
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      end?.();
    };
  }, [link, motto, number]);
  const face = (
    <div className={css['face']}>
      <span className={css['waves']} />
      <span className={css['rosette']} />
      <span className={css['number']}>{number}</span>
      <span className={css['serial']}>KX 0000{number}</span>
      <span className={css['motto']}>{motto}</span>
      <span className={css['serialBelow']}>KX 0000{number}</span>
      <span className={css['wavesBelow']} />
    </div>
  );
  return (
    <div className={css['note']} aria-hidden="true">
      <div className={css['left']}>{face}</div>
      <div className={css['right']}>{face}</div>
      <div ref={place} className={css['animation']} />
    </div>
  );
}
