import type { ReactNode } from 'react';
import css from './business.module.css';

/** Card with a title, which names the section. `id` is the base of the title's id. */
export function Card({
  id,
  title,
  pill,
  children,
}: {
  id: string;
  title: string;
  pill?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="card" id={id} aria-labelledby={`${id}-title`}>
      <div className={css['cardHead']}>
        <h2 className="card-title" id={`${id}-title`}>
          {title}
        </h2>
        {pill}
      </div>
      {children}
    </section>
  );
}
