/** Where staff bring in a paid order that Pathway does not list. */
export const ORDER_IMPORT_ADDRESS = "/app/settings/orders#import-orders";
