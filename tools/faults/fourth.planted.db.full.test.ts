// The fourth quarter of the planted faults is found.

import { testPlanted } from './planted.contract.ts';

testPlanted(4, 4);
