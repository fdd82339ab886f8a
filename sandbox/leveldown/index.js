'use strict';

// bcoin requires this module even if its chain is in memory; it is never opened.
module.exports = class LevelDown {
  constructor() {
    throw new Error('The sandbox keeps its bitcoin chain in memory: leveldown is not part of it.');
  }
};
