import { type ReactNode, useEffect, useRef } from 'react';
import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from 'react-router';
import { m } from '../../features/words.ts';
import type { Failure } from '../../server/document/failure.ts';
import { Button, ButtonLink } from '../../ui/fields/button.tsx';
import { pageUrl } from '../pages.ts';
import css from './error.module.css';
import { Main } from './layout.tsx';
import type { SiteData } from './site-data.ts';

/** A page that does not exist, or one that failed: a torn note, what is safe, and the ways on. */
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

/** The address that is not there: one that no route has, or one that its route refuses. */
const pathWords = ({ path, invalid }: Failure): string => (invalid ? m.error_404_invalid({ path }) : m.error_404_path({ path }));

/** Of what broke in the browser nothing is known, here or to us: the page claims no record and shows no reference. */
function failureOf(error: unknown): Failure {
  if (isRouteErrorResponse(error) && typeof error.data === 'object') return error.data as Failure;
  return { status: 500, path: '' };
}

const OWN_ANIMATION = '/animations/torn-note.json';
/** In one line the note's words would run into its rosette: their last one stands on a line of its own. */
const LAST_SPACE = / (?=\S+$)/;
/** A new line as a text of Lottie has it, written within JSON. */
const LOTTIE_BREAK = '\\r';
const STILL = '(prefers-reduced-motion: reduce)';

/**
 * A bank note torn in two. Each half shows the same face through its own edge. This is the animation's first frame, and
 * all of it where nothing should move; the rest is fetched from the link.
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
