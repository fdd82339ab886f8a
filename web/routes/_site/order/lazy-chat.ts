import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import type { DrawnChatProps } from './card-props.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Starts loading the chat's code once the chat is open. Until then the browser leaves the server's HTML unchanged. */
export const noteChat = (chat: HTMLDetailsElement | null): void => void (chat?.open && open());

const lazy = makeLazyPart<DrawnChatProps>(() => opened.then(async () => (await import('./chat.tsx')).Chat));

/** Context provider by which the server passes the chat to the page and renders it. */
export const LazyChatProvider = lazy.Provider;

/** Chat of the order. The server renders it, and the browser loads its code once it is opened. */
export function LazyChat(props: Pick<DrawnChatProps, 'data' | 'answer'>): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent')?.toString() : undefined;
  return createElement(lazy.Part, { ...props, Form, intent });
}
