export interface AddressRecord {
  id: number;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  province: string | null;
  provinceCode: string | null;
  zip: string | null;
  country: string | null;
  countryCode: string | null;
  phone: string | null;
}

export interface CustomerDocument {
  id: number;
  shop: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  state: "DISABLED" | "ENABLED";
  note: string | null;
  tags: string[];
  verifiedEmail: boolean;
  addresses: AddressRecord[];
  /** Id of one of `addresses`. */
  defaultAddressId: number | null;
  createdAt: string;
  updatedAt: string;
}
