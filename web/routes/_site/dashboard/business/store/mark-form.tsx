import type { ReactNode } from 'react';
import { m } from '../../../../../features/words.ts';
import type { OwnStore } from '../store-words.ts';
import { PictureForm } from './picture-form.tsx';

/** Part that sets, replaces or removes the picture of a store. */
export const MarkForm = ({ store }: { store: OwnStore }): ReactNode => (
  <PictureForm
    path={`/store/${store.id}/mark`}
    picture={store.mark}
    label={m.store_mark()}
    hint={m.store_mark_hint()}
    field="mark"
    removes="mark-remove"
    fit="contain"
  />
);
