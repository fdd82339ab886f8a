import { type ReactNode, useState } from 'react';
import { StoreMark, StorePanel } from '../../../../../features/store/store-panel.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Field } from '../../../../../ui/fields/field.tsx';
import { useUnitName } from '../../wallet/unit-name.ts';
import { ZoneField } from '../store-fields.tsx';
import type { OwnStore } from '../store-words.ts';
import { MarkForm } from './mark-form.tsx';
import { SettingsCard } from './settings-card.tsx';
import css from './store.module.css';

const FIELDS = ['name', 'colour', 'timezone'];
/** Colour with which the browser's picker begins if the store has none. */
const DESK_COLOUR = '#003839';
const COLOUR = /^#[0-9a-f]{6}$/i;

/** Card with the name, picture, colour and time zone of a store, and a preview of what buyers see. */
export function LookCard({ store }: { store: OwnStore }): ReactNode {
  const [name, setName] = useState(store.name);
  const [colour, setColour] = useState(store.colour ?? '');
  const chosen = COLOUR.test(colour.trim()) ? colour.trim().toLowerCase() : undefined;
  return (
    <SettingsCard
      name="look"
      title={m.store_look()}
      fields={FIELDS}
      above={<MarkForm store={store} />}
      beside={<Preview store={{ ...store, name: name.trim() || store.name, colour: chosen }} />}
    >
      {(answer, wrong) => (
        <>
          <Field
            name="name"
            value={name}
            error={wrong['name']}
            label={m.store_name()}
            hint={m.store_name_hint()}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Field
            name="colour"
            value={colour}
            error={wrong['colour']}
            label={m.store_colour()}
            hint={m.store_colour_hint()}
            maxLength={9}
            isMono
            onChange={(event) => setColour(event.currentTarget.value)}
            trailing={
              <input
                type="color"
                className={css['picker']}
                aria-label={m.store_colour_pick()}
                value={chosen ?? DESK_COLOUR}
                onChange={(event) => setColour(event.currentTarget.value)}
              />
            }
          />
          <ZoneField own={store.timezone} answer={answer} />
        </>
      )}
    </SettingsCard>
  );
}

/** Panel of an invoice with a sample sum, in the look that the form gives. */
function Preview({ store }: { store: OwnStore }): ReactNode {
  const { name: desk } = useSite();
  const unitName = useUnitName();
  return (
    <figure className={css['preview']}>
      <figcaption>{m.store_preview()}</figcaption>
      <StorePanel colour={store.colour} className={css['panel']}>
        <div className={css['who']}>
          <StoreMark name={store.name} mark={store.mark} />
          <b>{store.name}</b>
        </div>
        <div>
          <p>{m.store_preview_invoice()}</p>
          <p className={css['sum']}>
            <span className="num">25</span> <small>{unitName(store.invoice_currency)}</small>
          </p>
        </div>
        <p className={css['by']}>{m.store_preview_by({ name: desk })}</p>
      </StorePanel>
    </figure>
  );
}
