-- The day since which the books are open: each night what was earned becomes free money, which pays what was spent.

create table book_day (
  single boolean primary key default true check (single),
  day date not null
);
