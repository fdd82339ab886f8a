import { type ReactNode, useState } from 'react';
import { apiBase } from '../../../../features/api/address.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import css from './export-buttons.module.css';

const FORMATS = [
  ['csv', () => m.orders_export()],
  ['xlsx', () => m.export_xlsx()],
] as const;
type Format = (typeof FORMATS)[number][0];

/**
 * Buttons that download all rows that match a list's filter, one for each file format. `ticket` requests a download link that can
 * be used once.
 */
export function ExportButtons({
  ticket,
  of,
}: {
  ticket: (format: Format) => Promise<{ readonly url: string }>;
  /** Name of what is downloaded, where a page offers several files. */
  of?: string;
}): ReactNode {
  const [state, setState] = useState<Format | 'idle' | 'failed'>('idle');
  const download = (format: Format): void => {
    setState(format);
    ticket(format).then(
      ({ url }) => {
        location.assign(apiBase() + url);
        setState('idle');
      },
      () => setState('failed'),
    );
  };
  return (
    <fieldset className={css['export']}>
      <legend className="sr">{of === undefined ? m.export_label() : `${m.export_label()}: ${of}`}</legend>
      {state === 'failed' && (
        <span className="small" role="alert">
          {m.orders_export_failed()}
        </span>
      )}
      {FORMATS.map(([format, name]) => (
        <Button
          key={format}
          look="secondary"
          size="small"
          icon="download-simple"
          onClick={() => download(format)}
          busy={state === format && m.dashboard_loading()}
        >
          {of === undefined ? name() : `${of}, ${name()}`}
        </Button>
      ))}
    </fieldset>
  );
}
