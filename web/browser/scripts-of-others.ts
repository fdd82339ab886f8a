import { PURPOSES, type Purpose, decide, decided, hostOf } from '../features/consent.ts';
import { hideReferrer, trustedScriptUrl } from '../features/trusted-script.ts';
import { m } from '../features/words.ts';
import { isPublic } from '../routes/pages.ts';
import type { SiteConfig } from '../site.ts';
import { LOADED_AS } from './let-in.ts';
import css from './scripts-of-others.module.css';
import { navigateWhole } from './whole-navigation.ts';

type Chat = NonNullable<SiteConfig['chat']>;
/** Third-party scripts that are configured for the site. */
type Configured = { readonly [Part in 'google' | 'botCheck' | 'chat']?: SiteConfig[Part] | undefined };

const BAR = 'others';

/**
 * Offers the third-party chat if the document was loaded for a public page. The chat's script is loaded only with the visitor's
 * permission, which can be withdrawn. Once it is loaded, every navigation loads a document, so the script never reaches pages
 * with secrets.
 */
export function offerChat(chat: Chat): void {
  if (!isPublicPage()) return;
  const answer = decided('chat');
  if (answer === 'yes') loadChat(chat);
  else if (answer === undefined && !document.getElementById(BAR)) askForChat(chat);
}

/** True if the document was loaded for a public page. */
const isPublicPage = (): boolean => LOADED_AS !== undefined && isPublic(LOADED_AS);

let isLoaded = false;

/** Loads the chat's script: https://docs.crisp.chat/guides/chatbox-sdks/web-sdk/ */
function loadChat({ websiteId, script }: Chat): void {
  if (isLoaded) return;
  isLoaded = true;
  navigateWhole();
  hideReferrer();
  Object.assign(globalThis, { $crisp: [], CRISP_WEBSITE_ID: websiteId });
  const element = document.createElement('script');
  element.async = true;
  element.src = trustedScriptUrl(script);
  document.head.append(element);
}

/** Asks for permission in a bar at the page's end, which disappears after the answer. */
function askForChat(chat: Chat): void {
  const bar = barOf(m.chat_choice_title(), m.chat_choice_text({ host: hostOf(chat.script) }));
  const choose = (answer: 'yes' | 'no') => () => {
    decide('chat', answer);
    bar.remove();
    if (answer === 'yes') loadChat(chat);
  };
  bar.append(buttonOf(m.chat_choice_allow(), choose('yes')), buttonOf(m.chat_choice_refuse(), choose('no')));
  document.body.append(bar);
}

/**
 * Shows a checkbox for each third-party script of the site, by which the visitor permits the script or withdraws the permission.
 */
export function showChoices(configured: Configured): void {
  document.getElementById(BAR)?.remove();
  const bar = barOf(m.others_title(), m.others_text());
  const scripts: Readonly<Record<Purpose, string | undefined>> = {
    google: configured.google?.script,
    robots: configured.botCheck?.script,
    chat: configured.chat?.script,
  };
  const words = { google: m.others_google, robots: m.others_robots, chat: m.others_chat };
  let isTakenBack = false;
  for (const purpose of PURPOSES) {
    const script = scripts[purpose];
    if (script === undefined) continue;
    const [box, row] = choiceOf(words[purpose]({ host: hostOf(script) }));
    box.checked = decided(purpose) === 'yes';
    box.addEventListener('change', () => {
      decide(purpose, box.checked ? 'yes' : 'no');
      isTakenBack ||= !box.checked;
      if (box.checked && purpose === 'chat' && configured.chat && isPublicPage()) loadChat(configured.chat);
    });
    bar.append(row);
  }
  const close = (): void => {
    bar.remove();
    // Reloads the document: a script that has run can't be removed from it in another way.
    if (isTakenBack) location.reload();
  };
  bar.append(buttonOf(m.others_done(), close));
  document.body.append(bar);
  bar.querySelector('input')?.focus();
}

function barOf(title: string, text: string): HTMLElement {
  const bar = document.createElement('aside');
  bar.id = BAR;
  bar.className = css['bar'] ?? '';
  bar.ariaLabel = title;
  bar.append(textOf('b', title), textOf('p', text));
  return bar;
}

function choiceOf(words: string): [HTMLInputElement, HTMLElement] {
  const row = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  row.append(box, textOf('span', words));
  return [box, row];
}

function textOf(tag: 'b' | 'p' | 'span', text: string): HTMLElement {
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
