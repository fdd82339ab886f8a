import { type ComponentType, type ReactNode, Suspense, createContext, createElement, lazy, useContext } from 'react';
import { Form, useNavigation } from 'react-router';
import type { DrawnChatProps } from './card-props.ts';

const Drawn = createContext<ComponentType<DrawnChatProps> | undefined>(undefined);

/** Where the server finds the chat, which it draws at once. */
export const LateChatProvider = Drawn.Provider;

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/** Notes that the chat stands open: until then the browser leaves it as the server drew it. */
export const noteChat = (chat: HTMLDetailsElement | null): void => void (chat?.open && open());

const Fetched = lazy(() => opened.then(async () => ({ default: (await import('./chat.tsx')).Chat })));

/** What was said about the order: drawn by the server, its code fetched by the browser once somebody opens it. */
export function LateChat(props: Pick<DrawnChatProps, 'data' | 'answer'>): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent')?.toString() : undefined;
  return createElement(Suspense, { fallback: null }, createElement(useContext(Drawn) ?? Fetched, { ...props, Form, intent }));
}
