#!/bin/sh
# Ships what was ordered, where the warehouse is open: where there is a file shop/open.
if ! test -e shop/open; then
    echo '{"Error": "WarehouseClosed", "Cause": "nobody is there yet"}' >&2
    exit 1
fi
echo '{"parcel": "P-17"}'
