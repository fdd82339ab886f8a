-- Partly paid invoices follow their store's setting after a while. Those that were partly paid before get their time now.

update invoice set due_at = clock_now() where state = 'short' and due_at is null;
