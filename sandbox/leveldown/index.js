'use strict';

// bcoin asks for this module by name even when its chain lives in memory; nothing ever opens it.
module.exports = class LevelDown {
  constructor() {
    throw new Error('The sandbox keeps its bitcoin chain in memory: leveldown is not part of it.');
  }
};
