// The s-* elements of the customer-account pages, for the shared components.
import "@shopify/ui-extensions/customer-account.order-status.block.render";
