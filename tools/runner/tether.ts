// Loaded into every test process: ends it when the run that started it is gone, so that a killed run leaves nothing.

process.channel?.unref();
process.on('disconnect', () => process.exit(1));

// The flags of the test runner are not for the processes that tests start.
process.execArgv.splice(0);
