-- What decides who gets into an account, where its letters go, whether its money may leave and who earns by it stands under a
-- MAC; so does which Google account signs in to it.

alter table account_holder add column mac uuid;
alter table google_account add column mac uuid;
