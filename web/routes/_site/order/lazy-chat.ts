import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import type { DrawnChatProps } from './card-props.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Notes that the chat stands open: until then the browser leaves it as the server drew it. */
export const noteChat = (chat: HTMLDetailsElement | null): void => void (chat?.open && open());

const lazy = makeLazyPart<DrawnChatProps>(() => opened.then(async () => (await import('./chat.tsx')).Chat));

/** Where the server finds the chat, which it draws at once. */
export const LazyChatProvider = lazy.Provider;

/** What was said about the order: drawn by the server, its code fetched by the browser once somebody opens it. */
export function LazyChat(props: Pick<DrawnChatProps, 'data' | 'answer'>): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent')?.toString() : undefined;
  return createElement(lazy.Part, { ...props, Form, intent });
}
