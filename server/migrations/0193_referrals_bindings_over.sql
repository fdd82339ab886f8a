-- Bindings that are over are forgotten each hour; those for good stay for ever.

create index binding_over on binding (until) where until is not null;
