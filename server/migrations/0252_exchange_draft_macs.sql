-- What a draft says stands under a MAC: its price, where its customer receives, who pays. Drafts of before become no orders.

alter table calculation add column mac uuid;
