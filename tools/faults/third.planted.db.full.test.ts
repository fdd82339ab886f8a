// The third quarter of the planted faults is found.

import { testPlanted } from './planted.contract.ts';

testPlanted(3, 4);
