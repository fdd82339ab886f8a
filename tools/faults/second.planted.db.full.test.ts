// The second quarter of the planted faults is found.

import { testPlanted } from './planted.contract.ts';

testPlanted(2, 4);
