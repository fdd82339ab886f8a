import { type ReactNode, useEffect } from 'react';
import { useLoaderData } from 'react-router';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import '../../../ui/fields/button.module.css';
import { cx } from '../../../ui/base/cx.ts';
import '../../../ui/fields/field.module.css';
import '../../../ui/fields/text-area.module.css';
import '../../../ui/parts/message.module.css';
import '../../../ui/parts/pill.module.css';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { ContactData } from './page.server.tsx';
import css from './contact.module.css';

/** Page with the contact form or a ticket. The server renders it; a script adds the robot check if it is required. */
export default function ContactPage(): ReactNode {
  const { head } = useLoaderData<ContactData>();
  const site = useSite();
  useTitle(head.title, site.name);
  const { botCheck, locale } = site;
  useEffect(() => {
    const stop = new AbortController();
    const form = document.querySelector<HTMLFormElement>('#main form');
    if (form) void import('./send.ts').then(({ watchForm }) => watchForm(form, { botCheck, locale, signal: stop.signal }));
    return () => stop.abort();
  }, [botCheck, locale]);
  return (
    <Main>
      <ServerPart name="contact" className={cx('wrap', css['page'])} />
    </Main>
  );
}
