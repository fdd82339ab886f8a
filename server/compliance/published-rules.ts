import type { Output, Routes } from '@kurs/contract';
import { takesReversible } from './limits/reversible.ts';
import { settings } from './settings.ts';

type Rules = Output<Routes['rules']>;

/** Returns the limits of each level and the rules for reversible payments, as the operator has set them. */
export function publishedRules(): Pick<Rules, 'levels' | 'reversible'> {
  const { new: first, known: later, full } = settings.get('compliance.reversible_windows');
  return {
    levels: [...settings.get('compliance.levels')],
    reversible: {
      taken: takesReversible(),
      currencies: settings.get('compliance.reversible_currencies'),
      level: settings.get('compliance.reversible_level'),
      days: settings.get('compliance.exposure_days'),
      ...{ first, later, full },
      first_days: settings.get('compliance.reversible_new_days'),
      first_orders: settings.get('compliance.reversible_clearing_orders'),
      first_hours: settings.get('compliance.reversible_clearing_new_hours'),
      later_hours: settings.get('compliance.reversible_clearing_hours'),
    },
  };
}
