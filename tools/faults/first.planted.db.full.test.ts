// The first quarter of the planted faults is found.

import { testPlanted } from './planted.contract.ts';

testPlanted(1, 4);
