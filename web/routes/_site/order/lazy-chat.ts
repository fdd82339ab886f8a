import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import type { DrawnChatProps } from './card-props.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Records that the chat was opened. Until then the browser leaves the server's HTML unchanged. */
export const noteChat = (chat: HTMLDetailsElement | null): void => void (chat?.open && open());

const lazy = makeLazyPart<DrawnChatProps>(() => opened.then(async () => (await import('./chat.tsx')).Chat));

/** Provides the chat on the server, which draws it at once. */
export const LazyChatProvider = lazy.Provider;

/** The order's chat. The server draws it, and the browser loads its code once it is opened. */
export function LazyChat(props: Pick<DrawnChatProps, 'data' | 'answer'>): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent')?.toString() : undefined;
  return createElement(lazy.Part, { ...props, Form, intent });
}
