-- That something was paid out to a customer before stands under a MAC: it widens bounds. Without one it is not believed.

alter table customer add column mac uuid;
