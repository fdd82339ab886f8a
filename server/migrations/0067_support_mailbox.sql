-- Support: what was said with one mailbox is found for its holder's file.

create index support_mailbox on support_thread (lower(email));
