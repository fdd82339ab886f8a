import { matchRoutes } from 'react-router';
import { trustedScriptUrl } from '../features/trusted-script.ts';
import { m } from '../features/words.ts';
import { PUBLIC_PAGES } from '../routes/pages.ts';
import type { SiteConfig } from '../site.ts';
import css from './offer-chat.module.css';
import { browserRoutes } from './routes.ts';
import { navigateWhole } from './whole-navigation.ts';

const KEY = 'chat-allowed';
/** Where a link leads that asks for the choice again. */
const ASK_AGAIN = '#chat-choice';

type Chat = NonNullable<SiteConfig['chat']>;

/**
 * The chat of somebody else, on a document that was loaded as a public page: its script comes only once the visitor has
 * allowed it, and can be forbidden again. Documents with secrets in them never have it: after it came, every page is
 * loaded as a document of its own.
 */
export function offerChat(chat: Chat): void {
  const page = matchRoutes(browserRoutes, location.pathname)?.at(-1)?.route.id;
  if (!(PUBLIC_PAGES as readonly (string | undefined)[]).includes(page)) return;
  addEventListener('hashchange', () => {
    if (location.hash === ASK_AGAIN) ask(chat);
  });
  const allowed = localStorage.getItem(KEY);
  if (allowed === 'yes') load(chat);
  else if (allowed === null || location.hash === ASK_AGAIN) ask(chat);
}

let isLoaded = false;

/** https://docs.crisp.chat/guides/chatbox-sdks/web-sdk/ */
function load({ websiteId, script }: Chat): void {
  if (isLoaded) return;
  isLoaded = true;
  navigateWhole();
  Object.assign(globalThis, { $crisp: [], CRISP_WEBSITE_ID: websiteId });
  const element = document.createElement('script');
  element.async = true;
  element.src = trustedScriptUrl(script);
  document.head.append(element);
}

/** Asks in a bar at the page's end that covers nothing for good. */
function ask(chat: Chat): void {
  if (document.getElementById('chat-choice')) return;
  const bar = document.createElement('aside');
  bar.id = 'chat-choice';
  bar.className = css['bar'] ?? '';
  bar.ariaLabel = m.chat_choice_title();
  const choose = (answer: 'yes' | 'no') => () => {
    const wasAllowed = localStorage.getItem(KEY) === 'yes';
    localStorage.setItem(KEY, answer);
    bar.remove();
    if (answer === 'yes') load(chat);
    // What has been loaded is gone only with the document.
    else if (wasAllowed) location.replace(location.pathname + location.search);
  };
  bar.append(
    textOf('b', m.chat_choice_title()),
    textOf('p', m.chat_choice_text({ host: new URL(chat.script).host })),
    buttonOf(m.chat_choice_allow(), choose('yes')),
    buttonOf(m.chat_choice_refuse(), choose('no')),
  );
  document.body.append(bar);
}

function textOf(tag: 'b' | 'p', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function buttonOf(text: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', act);
  return button;
}
