import { Link } from "@shopify/polaris";
import { dialAddress } from "../../platform/dial-address.ts";

/** A number to ring. A customer may have typed anything: what is not clearly one number stays text. */
export function PhoneLink({ phone }: { phone: string }) {
  const address = dialAddress(phone);
  return address ? <Link url={address}>{phone}</Link> : phone;
}
