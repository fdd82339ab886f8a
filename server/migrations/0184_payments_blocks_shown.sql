-- A block is told where some page shows what it confirms, by the statement that makes due what it decides (become-due.ts).
drop trigger wake_moved on rail_state;
